-- Deletes each lock whose value begins with the prefix: comparison and deletion are one step (R6). Or keeps its name taken, with
-- nobody as its owner: the attempt in the value is then "kept".
-- Announces the release to waiters as "fence replicas": the fencing token of the lease, and the number of replicas that
-- wait; as "" if another program wrote the value. Ignores a failed announcement (R12).
-- KEYS the locks; ARGV[1] "token " or "token attempt ", ARGV[2] the prefix of the channels of releases, or "" for no
-- announcement, ARGV[3] the largest number of extensions that it may have, or "" for any,
-- ARGV[4] how long the name stays taken in ms, at most the rest of the lease,
-- ARGV[5] the mark of the names in the value, ARGV[6] the channel of events, if there are subscribers,
-- ARGV[7] "released" or "broken"
-- Returns 1: all deleted or kept, {0, i}: KEYS[i] is free, {-2, i}: it has another value, {-1, error}.

-- Returns 1, 0 or -2 for one lock, and its value before; nil and an error.
local function release(key)
  local value = redis.pcall('GET', key)
  if not value then
    return 0
  end
  if type(value) ~= 'string' then
    return nil, value.err
  end
  if string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then
    return -2
  end
  local head, attempt, used, fence, ttl, names = string.match(value, '^(%S+) (%S+) (%d+) (%d+=?) (%d+)(%S*) ')
  if ARGV[3] ~= '' and tonumber(used) > tonumber(ARGV[3]) then
    return -2
  end
  local whole = head and ARGV[1] == head .. ' '
  if whole and names ~= ARGV[5] then
    return -2
  end
  if whole and attempt == 'kept' then
    -- The release is repeated.
    return 1
  end
  local keep = head and math.min(tonumber(ARGV[4]), redis.call('PTTL', key)) or 0
  local done
  if keep > 0 then
    done = redis.pcall('SET', key, table.concat({head, 'kept', used, fence, ttl .. names, ''}, ' '), 'PX', keep)
  else
    done = redis.pcall('DEL', key)
  end
  if type(done) == 'table' and done.err then
    return nil, done.err
  end
  return 1, value, math.max(0, keep)
end

local result = 1
for i = 1, #KEYS do
  local key = KEYS[i]
  local code, value, keep = release(key)
  if not code then
    return {-1, value}
  end
  if code ~= 1 and result == 1 then
    result = {code, i}
  end
  if value then
    local fence, owner = string.match(value, '^%S+ %S+ %d+ (%d+)=? %S+ (.*)$')
    if ARGV[2] ~= '' then
      local channel = ARGV[2] .. key
      local waiting = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
      if type(waiting) == 'number' and waiting > 0 then
        redis.pcall('PUBLISH', channel, fence and fence .. ' ' .. waiting or '')
      end
    end
    if ARGV[6] and fence then
      redis.pcall('PUBLISH', ARGV[6], ARGV[7] .. ' ' .. fence .. ' ' .. keep .. ' ' .. #key .. ' ' .. key .. owner)
    end
  end
end
return result
