// Starts `tilescope lsp` and shows what it finds.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function activate() {
  const settings = workspace.getConfiguration('tilescope');
  const server = { command: settings.get('command') || 'tilescope', args: ['lsp'] };
  client = new LanguageClient('tilescope', 'Tilescope', server, {
    documentSelector: ['glsl', 'hlsl', 'wgsl'].map((language) => ({ scheme: 'file', language })),
    initializationOptions: {
      device: settings.get('device') || '',
      timeout: settings.get('timeout'),
      performance: settings.get('performance'),
    },
    synchronize: { configurationSection: 'tilescope' },
  });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
