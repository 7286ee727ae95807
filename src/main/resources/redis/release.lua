-- Deletes the lock if its value begins with the prefix: comparison and deletion are one step (R6).
-- Announces the release to waiters as "fence replicas": the fencing token of the lease, and the number of replicas that
-- wait; as "" if another program wrote the value. Ignores a failed announcement (R12).
-- KEYS[1] the lock; ARGV[1] "token " or "token attempt ", ARGV[2] the channel of releases, or "" for no announcement,
-- ARGV[3] the largest number of extensions that it may have, or "" for any,
-- ARGV[4] the channel of events, if there are subscribers, ARGV[5] "released" or "broken"
-- Returns 1: deleted, 0: free, -2: another value, {-1, error}.
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
if ARGV[3] ~= '' and tonumber(string.match(value, '^%S+ %S+ (%d+)')) > tonumber(ARGV[3]) then
  return -2
end
local deleted = redis.pcall('DEL', KEYS[1])
if deleted ~= 1 then
  return {-1, deleted.err}
end
local fence, owner = string.match(value, '^%S+ %S+ %d+ (%d+)=? %d+ (.*)$')
if ARGV[2] ~= '' then
  local waiting = redis.pcall('PUBSUB', 'NUMSUB', ARGV[2])[2]
  if type(waiting) == 'number' and waiting > 0 then
    redis.pcall('PUBLISH', ARGV[2], fence and fence .. ' ' .. waiting or '')
  end
end
if ARGV[4] and fence then
  redis.pcall('PUBLISH', ARGV[4], ARGV[5] .. ' ' .. fence .. ' 0 ' .. #KEYS[1] .. ' ' .. KEYS[1] .. owner)
end
return 1
