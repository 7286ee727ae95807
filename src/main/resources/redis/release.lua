-- Deletes each lock whose value begins with the prefix: comparison and deletion are one step (R6). Or keeps its name taken, with
-- nobody as its holder: the attempt in the value is then "kept".
-- Announces the release to waiters as "fence replicas": the fencing token of the lease, and the number of replicas that
-- wait; as "" if another program wrote the value. Ignores a failed announcement (R12).
-- KEYS the locks
-- prefix   "token " or "token attempt "
-- channels the prefix of the channels of releases, or "" for no announcement. A release of one name without the rest leaves it out
-- most     the largest number of extensions that it may have, or "" for any
-- keep_ms  how long the name stays taken, 0 if it is free at once
-- names    the mark of the names in the value
-- events   the channel of events, if there are subscribers
-- reason   "released" or "broken"
-- Returns 1: all deleted or kept, {0, i}: KEYS[i] is free, {-2, i}: it has another value, {-1, error}.
--
-- The release of a shared lock that other holders keep comes first, because even to define the functions for the other cases costs time.
local prefix, channels, most, keep_ms, names, events, reason = unpack(ARGV)
local token = string.match(prefix, '^%S+')
if not most then
  local entry = redis.pcall('HMGET', KEYS[1], token, '')
  local first = string.match(entry[2] or '', '^/shared (%d+) 0$')
  local own = string.match(entry[1] or '', ' (.*)$')
  if first and own and now() < tonumber(first) and redis.call('HLEN', KEYS[1]) > 2
    and string.sub(own, 1, #prefix) == prefix and not is_kept(own)
  then
    return redis.call('HDEL', KEYS[1], token)
  end
end

most, keep_ms, names = most or '', tonumber(keep_ms or 0), names or ''

-- Removes this token from the holders of a lock. Returns "" for the waiters, whom this may let in, or nil; nil and an error. Several
-- leases end in any order, so that a fence would not tell a waiter which release it missed.
local function leave(key)
  local gone = redis.pcall('HDEL', key, token)
  if failed(gone) then
    return nil, gone.err
  end
  local kind, first, mark = header(key)
  local others = redis.call('HLEN', key) - 1
  if now() >= first then
    others = #holders(key)
  end
  if others > 0 then
    return kind ~= '/shared' and '' or nil
  end
  if mark > now() then
    redis.call('PEXPIRE', key, mark - now())
  else
    redis.call('DEL', key)
  end
  return ''
end

-- Returns 1, 0 or -2 for one lock, its value before, how long it is kept, and the fence for the waiters, "" if it says nothing, or
-- nil; nil and an error.
local function release(key)
  local value, ends, error = read(key, token)
  if error then
    return nil, error
  end
  if not value or string.sub(value, 1, #prefix) ~= prefix then
    redis.pcall('DEL', permit_of(key, token))
    return value and -2 or 0
  end
  local holder, attempt, used, fence, raised, terms, owner = parse(value)
  if most ~= '' and tonumber(used) > tonumber(most) then
    return -2
  end
  local whole = holder and prefix == holder .. ' '
  if whole and names_of(terms) ~= names then
    return -2
  end
  if whole and attempt == 'kept' then
    -- The release is repeated.
    return 1
  end
  local keep = holder and keep_ms or 0
  local news = fence or ''
  if keep > 0 then
    error = write(key, token, format(holder, 'kept', used, fence, raised, terms, owner), ends, keep)
  elseif ends then
    news, error = leave(key)
  else
    error = failed(redis.pcall('DEL', key))
  end
  if error then
    return nil, error
  end
  return 1, value, keep, news
end

local result = 1
for i = 1, #KEYS do
  local key = KEYS[i]
  local code, value, keep, news = release(key)
  if not code then
    return {-1, value}
  end
  if code ~= 1 and result == 1 then
    result = {code, i}
  end
  if value then
    local _, _, _, fence, _, terms, owner = parse(value)
    if channels ~= '' and news then
      local channel = channels .. key
      local waiting = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
      if type(waiting) == 'number' and waiting > 0 then
        redis.pcall('PUBLISH', channel, news ~= '' and news .. ' ' .. waiting or '')
      end
    end
    if events and fence then
      redis.pcall('PUBLISH', events, reason .. kind_of(terms) .. ' ' .. fence .. ' ' .. keep .. ' ' .. #key .. ' ' .. key .. owner)
    end
  end
end
return result
