-- Deletes the lock if its value begins with the prefix: comparison and deletion are one step (R6).
-- Announces the release to waiters, and ignores a failed announcement (R12).
-- KEYS[1] the lock; ARGV[1] "token " or "token attempt ", ARGV[2] the channel of releases, or "" for no announcement,
-- ARGV[3] the message. "as granted" means "passed on" if the attempt ends in "~", which marks a lease for hand-over, else "",
-- ARGV[4] the required number of extensions, or "" for any,
-- ARGV[5] the channel of events, if there are subscribers, ARGV[6] "released" or "broken"
-- Returns 1: deleted, 2: deleted, and several subscribers got the announcement, 0: free, -2: another value, {-1, error}.
local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if type(value) ~= 'string' then
  return {-1, value.err}
end
if string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then
  return -2
end
if ARGV[4] ~= '' and string.match(value, '^%S+ %S+ (%d+)') ~= ARGV[4] then
  return -2
end
local deleted = redis.pcall('DEL', KEYS[1])
if deleted ~= 1 then
  return {-1, deleted.err}
end
local told = 0
if ARGV[2] ~= '' then
  local news = ARGV[3]
  if news == 'as granted' then
    news = string.match(value, '^%S+ %S+~%+? ') and 'passed on' or ''
  end
  told = redis.pcall('PUBLISH', ARGV[2], news)
end
if ARGV[5] then
  local fence, owner = string.match(value, '^%S+ %S+ %d+ (%d+)=? %d+ (.*)$')
  if fence then
    redis.pcall('PUBLISH', ARGV[5], ARGV[6] .. ' ' .. fence .. ' 0 ' .. #KEYS[1] .. ' ' .. KEYS[1] .. owner)
  end
end
return type(told) == 'number' and told > 1 and 2 or 1
