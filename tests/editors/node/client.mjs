// The language server with a client made of vscode-jsonrpc and vscode-languageserver-protocol: the
// editor types faster than a check takes, cancels, and repairs a race. Exits with 1 on a failure.
//   npm install && TILESCOPE=../../../build/tilescope node client.mjs
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver-protocol/node';
import protocol from 'vscode-languageserver-protocol';

const { CodeActionRequest, DidChangeTextDocumentNotification, DidOpenTextDocumentNotification, ExitNotification, HoverRequest,
  InitializedNotification, InitializeRequest, PublishDiagnosticsNotification, ShutdownRequest } = protocol;

const server = spawn(process.env.TILESCOPE ?? 'tilescope', ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => server.on('exit', resolve));
const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));

let waiting = [];
const tokens = new Map();
connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
  console.log(`version ${params.version}: ${params.diagnostics.length} diagnostics`);
  waiting = waiting.filter(({ fits, resolve }) => !(fits(params) && (resolve(params), true)));
});
connection.onRequest('window/workDoneProgress/create', ({ token }) => {
  tokens.set(token, []);
  return null;
});
connection.onNotification('$/progress', ({ token, value }) => tokens.get(token)?.push(value.kind + ' ' + (value.title ?? value.message)));
connection.listen();

const diagnostics = (fits) => new Promise((resolve, reject) => {
  waiting.push({ fits, resolve });
  setTimeout(() => reject(new Error('no such diagnostics in 60 s')), 60000).unref();
});

const uri = 'file:///tmp/tilescope-node-client/racy.comp';
const text = `#version 450
layout(local_size_x = 64) in;
shared uint s[64];
layout(binding = 0) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = i;
  o[gl_GlobalInvocationID.x] = s[i ^ 1u];
}
`;

const initialized = await connection.sendRequest(InitializeRequest.type, {
  processId: process.pid,
  rootUri: null,
  capabilities: { window: { workDoneProgress: true }, workspace: { workspaceEdit: { documentChanges: true } } },
});
console.log(initialized.serverInfo);
await connection.sendNotification(InitializedNotification.type, {});
await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'glsl', version: 1, text } });

// Ten changes, each before the last one was checked: only the last text counts.
for (let version = 2; version <= 11; ++version) {
  await connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version },
    contentChanges: [{ range: { start: { line: 8, character: 1 }, end: { line: 8, character: 1 } }, text: '\n' }],
  });
}
const found = await diagnostics((params) => params.version === 11 && params.diagnostics.length >= 2);
const races = found.diagnostics.filter((d) => d.code === 'race');
assert.deepEqual(races.map((d) => d.range.start.line).sort(), [6, 7]);
assert.equal(races[0].source, 'tilescope');
console.log(races[0].message);

const actions = await connection.sendRequest(CodeActionRequest.type, { textDocument: { uri }, range: races[0].range, context: { diagnostics: races } });
console.log(actions.map((action) => action.title));
const edit = actions[0].edit.documentChanges[0];
assert.equal(edit.textDocument.version, 11);
await connection.sendNotification(DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 12 }, contentChanges: edit.edits.map((e) => ({ range: e.range, text: e.newText })) });
await diagnostics((params) => params.version === 12 && params.diagnostics.every((d) => d.code !== 'race'));
const hover = await connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line: 7, character: 4 } });
console.log(hover.contents.value);

await assert.rejects(connection.sendRequest('textDocument/rename', {}), (error) => error.code === -32601);
await connection.sendRequest(ShutdownRequest.type);
await connection.sendNotification(ExitNotification.type);
assert.equal(await ended, 0);
console.log([...tokens.values()]);
