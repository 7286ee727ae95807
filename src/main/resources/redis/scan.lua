-- Returns some of the locks: one step of a scan of the keys.
-- ARGV[1] the cursor, "0" at the start, ARGV[2] the pattern of the keys, ARGV[3] the number of keys to scan
-- Returns {0, cursor, {key, ...}}, with the cursor "0" at the end; {-1, error}. Skips values of other programs.
local page = redis.pcall('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
if page.err then
  return {-1, page.err}
end
local found = {}
for _, key in ipairs(page[2]) do
  -- With an empty prefix a key can have any type and size, or be unreadable for this user. The first bytes identify a lock value.
  local head = redis.pcall('GETRANGE', key, 0, 255)
  if failed(head) and string.find(head.err, '^WRONGTYPE') then
    local header = redis.pcall('HGET', key, '')
    if header and not failed(header) and string.find(header, '^/%l+%d* %d+ %d+ ?%S*$') then
      found[#found + 1] = key
    end
  elseif not failed(head) then
    if string.find(head, '^%S+ %S+ %d+ %S+ %d') then
      found[#found + 1] = key
    end
  elseif not string.find(head.err, 'access .*key') then
    return {-1, head.err}
  end
end
return {0, page[1], found}
