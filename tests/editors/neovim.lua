-- The language server with Neovim 0.7 or newer as its client: a racy kernel is opened, repaired with
-- the server's edit and seen clean. Prints a transcript and exits with 1 on a failure.
--   TILESCOPE=build/tilescope nvim --headless -u NONE -c 'luafile tests/editors/neovim.lua'
local program = vim.env.TILESCOPE or 'tilescope'
local seconds = 60

local function say(...)
  io.stdout:write(string.format(...) .. '\n')
end

local function fail(...)
  say('FAILED: ' .. string.format(...))
  vim.cmd('cquit 1')
end

local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')
local file = folder .. '/racy.comp'
vim.fn.writefile({
  '#version 450',
  'layout(local_size_x = 64) in;',
  'shared uint s[64];',
  'layout(binding = 0) buffer O { uint o[]; };',
  'void main() {',
  '  uint i = gl_LocalInvocationIndex;',
  '  s[i] = i;',
  '  o[gl_GlobalInvocationID.x] = s[i ^ 1u];',
  '}',
}, file)
vim.cmd('edit ' .. file)
local buffer = vim.api.nvim_get_current_buf()

local client = vim.lsp.start_client({
  name = 'tilescope',
  cmd = { program, 'lsp' },
  root_dir = folder,
})
if not client then
  fail('cannot start %s lsp', program)
end
vim.lsp.buf_attach_client(buffer, client)

-- The diagnostics, once they are as wanted.
local function diagnostics(wanted)
  local found
  local done = vim.wait(seconds * 1000, function()
    found = vim.diagnostic.get(buffer)
    return wanted(found)
  end, 50)
  if not done then
    fail('no such diagnostics in %d s: %s', seconds, vim.inspect(found))
  end
  table.sort(found, function(a, b) return a.lnum < b.lnum end)
  return found
end

local function is_race(d)
  return d.code == 'race' or (d.user_data and d.user_data.lsp and d.user_data.lsp.code == 'race')
end

local function races(list)
  return vim.tbl_filter(is_race, list)
end

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, seconds * 1000)
  local answer = answers and answers[client]
  if not answer or answer.err or answer.error then
    fail('%s: %s', method, vim.inspect(answer))
  end
  return answer.result
end

local document = { uri = vim.uri_from_bufnr(buffer) }

local found = races(diagnostics(function(list) return #races(list) == 2 end))
for _, d in ipairs(found) do
  say('line %d, columns %d to %d: %s', d.lnum + 1, d.col + 1, d.end_col, d.message)
end

local place = { line = found[2].lnum, character = found[2].col }
local actions = request('textDocument/codeAction', {
  textDocument = document,
  range = { start = place, ['end'] = place },
  context = { diagnostics = {} },
})
for _, action in ipairs(actions) do
  say('action: %s', action.title)
end
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
say('after the first action:')
for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
  say('  %2d %s', number, line)
end
diagnostics(function(list) return #races(list) == 0 end)
say('no race is left')

local lens
vim.wait(seconds * 1000, function()
  lens = request('textDocument/codeLens', { textDocument = document })
  return #lens > 0 and lens[1].command.title:find(' ms ') ~= nil
end, 200)
say('code lens at line %d: %s', lens[1].range.start.line + 1, lens[1].command.title)

local hints = request('textDocument/inlayHint', {
  textDocument = document,
  range = { start = { line = 0, character = 0 }, ['end'] = { line = 100, character = 0 } },
})
for _, hint in ipairs(hints) do
  say('hint at line %d: %s', hint.position.line + 1, hint.label)
end

for _, at in ipairs({ { 6, 2 }, { 7, 3 }, { 5, 14 } }) do
  local hover = request('textDocument/hover', {
    textDocument = document,
    position = { line = at[1], character = at[2] },
  })
  say('hover at %d:%d: %s', at[1] + 1, at[2] + 1, hover and hover.contents.value or 'nothing')
end

-- A text that does not compile.
vim.api.nvim_buf_set_lines(buffer, 6, 7, false, { '  s[i] = nothing;' })
local errors = diagnostics(function(list)
  return #list == 1 and list[1].severity == vim.diagnostic.severity.ERROR
end)
say('line %d: %s', errors[1].lnum + 1, errors[1].message)

vim.lsp.stop_client(client)
if not vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 50) then
  fail('the server does not stop')
end
say('stopped')
vim.fn.delete(folder, 'rf')
vim.cmd('qall!')
