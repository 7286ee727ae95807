-- Deletes each lock whose value begins with the prefix: comparison and deletion are one step (R6). Or keeps its name taken, with
-- nobody as its holder: the attempt in the value is then "kept".
-- Announces the release to waiters as "fence replicas": the fencing token of the lease, and the number of replicas that
-- wait; as "" if another program wrote the value. Ignores a failed announcement (R12).
-- KEYS the locks; ARGV[1] "token " or "token attempt ", ARGV[2] the prefix of the channels of releases, or "" for no
-- announcement, ARGV[3] the largest number of extensions that it may have, or "" for any,
-- ARGV[4] how long the name stays taken in ms, 0 if it is free at once,
-- ARGV[5] the mark of the names in the value, ARGV[6] the channel of events, if there are subscribers,
-- ARGV[7] "released" or "broken". All after ARGV[2] are left out by a release of one name without any of them.
-- Returns 1: all deleted or kept, {0, i}: KEYS[i] is free, {-2, i}: it has another value, {-1, error}.
--
-- Two cases of one lock come first, because even to define the functions for the others costs time: that of one holder, and that
-- of a shared lock that other holders keep.
if not ARGV[3] then
  local value = redis.pcall('GET', KEYS[1])
  if type(value) == 'table' then
    local token = string.match(ARGV[1], '^%S+')
    local entry = redis.pcall('HMGET', KEYS[1], token, '')
    local first = string.match(entry[2] or '', '^/shared (%d+) 0$')
    local own = string.match(entry[1] or '', ' (.*)$')
    local clock = redis.call('TIME')
    if first and own and clock[1] * 1000 + clock[2] / 1000 < tonumber(first) and redis.call('HLEN', KEYS[1]) > 2
      and string.sub(own, 1, #ARGV[1]) == ARGV[1] and not string.find(own, '^%S+ kept ')
    then
      return redis.call('HDEL', KEYS[1], token)
    end
  -- The value "token attempt used fence terms owner", as in grant.lua, with terms that are only the TTL. Patterns and captures cost
  -- more time than the rest.
  elseif value and string.sub(value, #ARGV[1] + 1, #ARGV[1] + 5) ~= 'kept '
    and (not string.find(value, '/', 1, true) or string.find(value, '^%S+ %S+ %d+ %d+=? %d+ '))
  then
    if string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then
      return {-2, 1}
    end
    local done = redis.pcall('DEL', KEYS[1])
    if done ~= 1 then
      return {-1, done.err}
    end
    if ARGV[2] ~= '' then
      local channel = ARGV[2] .. KEYS[1]
      local waiting = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
      if type(waiting) == 'number' and waiting > 0 then
        local fence = string.match(value, '^%S+ %S+ %d+ (%d+)')
        redis.pcall('PUBLISH', channel, fence and fence .. ' ' .. waiting or '')
      end
    end
    return 1
  end
end
