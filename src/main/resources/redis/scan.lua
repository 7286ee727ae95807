-- Names some of the locks: one step through the keys.
-- ARGV[1] Redis' cursor, "0" at first, ARGV[2] the pattern of the keys, ARGV[3] how many keys to look at
-- Answers {0, cursor, {key, ...}}, with the cursor "0" at the end; {-1, error}. Leaves out what no service like ours wrote.
local page = redis.pcall('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
if page.err then
  return {-1, page.err}
end
local found = {}
for _, key in ipairs(page[2]) do
  -- With an empty prefix a key may be anything, of any type and size, or not ours to read; a value of ours shows in its head.
  local head = redis.pcall('GETRANGE', key, 0, 255)
  if type(head) == 'string' then
    if string.find(head, '^%S+ %S+ %d+ %S+ %d+ ') then
      found[#found + 1] = key
    end
  elseif not string.find(head.err, '^WRONGTYPE') and not string.find(head.err, 'access .*key') then
    return {-1, head.err}
  end
end
return {0, page[1], found}
