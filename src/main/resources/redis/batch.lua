-- Runs the operations of a batch in order, each as if it were a script of its own.
-- KEYS the keys of all operations
-- ARGV for each operation: its name, the number of its keys, the number of its arguments, and these. Two usual ones are shorter:
-- "acquire-one", value, TTL, fence, and how long the attempt keeps others out, with 2 keys, and "release-one", "token " or
-- "token attempt ", and the prefix of the channels of releases, or "", with 1 key. They are the acquire and the release of one lock
-- for one holder, without the other arguments.
-- Returns a list of the replies, or the reply of the only operation. The header comments of the operations define the replies. An
-- error of an operation is its reply: {-1, error}.
--
-- The usual ones are written out in the loop, and a batch of one operation, as one client sends it, makes no list, because to create a
-- function or a list costs time.
local KEYS, ARGV, try = KEYS, ARGV, redis.pcall
local operations, clock, refusal
-- Those of the last operation, and of all if there are several.
local reply, replies
-- The channels of the releases to announce, and the values that these deleted. Lists, unless only the last operation is such a release.
local channels, released

-- A call that acquires has two keys, so that there is another call, or there are several names.
if KEYS[3] then
  -- A write of a key that never exists, which changes nothing and is refused as any other. First, because Redis refuses none of a
  -- script that has written, so that a release would let acquires in although the memory is full.
  local write = try('SET', 'quorumlock:nothing/', '', 'XX')
  refusal = write and write.err and write
end

local key, arg = 1, 1
while ARGV[arg] do
  local name = ARGV[arg]
  -- Those of an operation that has to run as a whole, and whether its lock is written already.
  local keys, arguments, created
  reply = nil
  if name == 'acquire-one' then
    -- As create() in acquire.lua and count() in grant.lua, or as occupied() for a lock that another token holds. Everything else goes
    -- there.
    local lock, counter, value, ttl, fence = KEYS[key], KEYS[key + 1], ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3]
    local set = refusal or try('SET', lock, value, 'NX', 'PX', ttl)
    if not set then
      local held = try('GET', lock)
      local token = string.match(value, '^%S+ ')
      if held and not held.err and string.sub(held, 1, #token) ~= token then
        reply = {0, try('PTTL', lock), held, 1}
      end
    elseif set.err then
      reply = {-1, set.err}
    else
      created = true
      local last = try('SET', counter, fence, 'GET')
      local counted = last and tonumber(last)
      if not last or counted and counted < tonumber(fence) then
        reply = tonumber(fence)
      elseif not last.err then
        try('SET', counter, last)
      end
    end
    if not reply then
      name, keys, arguments = 'acquire', {lock, counter}, {value, ttl, fence, '', ARGV[arg + 4]}
    end
    key, arg = key + 2, arg + 5
  elseif name == 'release-one' then
    -- As release() in release.lua, for a value of an exclusive lock that is not kept, see holders.lua. Everything else goes there.
    -- Patterns and captures cost more time than the rest.
    local lock, prefix, channel = KEYS[key], ARGV[arg + 1], ARGV[arg + 2]
    local value = try('GET', lock)
    key, arg = key + 1, arg + 3
    if not value or value.err or string.sub(value, 1, #prefix) ~= prefix
      or string.sub(value, #prefix + 1, #prefix + 5) == 'kept '
      or string.find(value, '/', 1, true) and not string.find(value, '^%S+ %S+ %d+ %d+=? %d+ ')
    then
      name, keys, arguments = 'release', {lock}, {prefix, channel}
    else
      reply = try('DEL', lock)
      if reply ~= 1 then
        reply = {-1, reply.err}
      elseif channel ~= '' then
        channel = channel .. lock
        if not channels and not ARGV[arg] then
          channels, released = channel, value
        else
          channels, released = channels or {}, released or {}
          channels[#channels + 1], released[#released + 1] = channel, value
        end
      end
    end
  else
    local next_key, first = key + ARGV[arg + 1], arg + 3
    local next_arg = first + ARGV[arg + 2]
    reply = refusal and (name == 'acquire' or name == 'join' or name == 'restore') and {-1, refusal.err}
    if not reply then
      keys, arguments = {unpack(KEYS, key, next_key - 1)}, {unpack(ARGV, first, next_arg - 1)}
    end
    key, arg = next_key, next_arg
  end
  if not reply then
    operations, clock = operations or {}, clock or {}
    operations[name] = operations[name] or define(name, clock)
    local done, result = pcall(operations[name], keys, arguments, created)
    reply = done and result or {-1, type(result) == 'table' and result.err or result}
  end
  if replies then
    replies[#replies + 1] = reply
  elseif ARGV[arg] then
    replies = {reply}
  end
end

-- Announces the releases to waiters: the fencing token of the lease, and the number of replicas that wait; "" if another program wrote
-- the value. Ignores a failed announcement (R12).
if channels then
  local one = type(channels) == 'string'
  local waiting = one and try('PUBSUB', 'NUMSUB', channels) or try('PUBSUB', 'NUMSUB', unpack(channels))
  for i = 2, #waiting, 2 do
    local channel, replicas = waiting[i - 1], waiting[i]
    if replicas > 0 then
      local fence = string.match(one and released or released[i / 2], '^%S+ %S+ %d+ (%d+)')
      try('PUBLISH', channel, fence and fence .. ' ' .. replicas or '')
    end
  end
end
return replies or reply
