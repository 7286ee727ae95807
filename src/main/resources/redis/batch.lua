-- Runs the operations of a batch in order, each as if it were a script of its own.
-- KEYS the keys of all operations
-- ARGV for each operation: its name, the number of its keys, the number of its arguments, and these. Two usual ones are shorter:
-- "acquire-one", value, TTL, fence, and how long the attempt keeps others out, with 2 keys, and "release-one", "token " or
-- "token attempt ", and the prefix of the channels of releases, or "", with 1 key. They are the acquire and the release of one lock
-- for one holder, without the other arguments.
-- Returns a list of the replies, or the reply of the only operation, because a list costs time. The header comments of the operations
-- define the replies. An error of an operation is its reply: {-1, error}.
--
-- The usual ones come first, and their functions use no variable of the batch: even to create such a function costs time.
local KEYS, ARGV, try = KEYS, ARGV, redis.pcall
local operations, clock, refusal, channels, released

-- A call that acquires has two keys, so that there is another call, or there are several names.
if KEYS[3] then
  -- A write of a key that never exists, which changes nothing and is refused as any other. First, because Redis refuses none of a
  -- script that has written, so that a release would let acquires in although the memory is full.
  local write = try('SET', 'quorumlock:nothing/', '', 'XX')
  refusal = write and write.err and {-1, write.err}
end

-- Returns the reply; nil, and whether the lock is written, if the whole operation has to run.
local function acquire_one(try, lock, counter, value, ttl, fence)
  local set = try('SET', lock, value, 'NX', 'PX', ttl)
  if not set then
    local held = try('GET', lock)
    local token = string.match(value, '^%S+ ')
    if not held or held.err or string.sub(held, 1, #token) == token then
      return nil
    end
    return {0, try('PTTL', lock), held, 1}
  end
  if set.err then
    return {-1, set.err}
  end
  local last = try('SET', counter, fence, 'GET')
  local counted = last and tonumber(last)
  if not last or counted and counted < tonumber(fence) then
    return tonumber(fence)
  end
  if not last.err then
    try('SET', counter, last)
  end
  return nil, true
end

-- Reads the value "token attempt used fence terms owner", as in grant.lua, with terms that are only the TTL. Patterns and captures
-- cost more time than the rest. Returns the reply, and the value that is deleted; nil if the whole operation has to run.
local function release_one(try, lock, prefix)
  local value = try('GET', lock)
  if not value or value.err or string.sub(value, #prefix + 1, #prefix + 5) == 'kept '
    or string.find(value, '/', 1, true) and not string.find(value, '^%S+ %S+ %d+ %d+=? %d+ ')
  then
    return nil
  end
  if string.sub(value, 1, #prefix) ~= prefix then
    return {-2, 1}
  end
  local done = try('DEL', lock)
  if done ~= 1 then
    return {-1, done.err}
  end
  return 1, value
end

local replies, key, arg = {}, 1, 1
while ARGV[arg] do
  local name = ARGV[arg]
  local reply, created, keys, arguments
  if name == 'acquire-one' then
    name, reply = 'acquire', refusal
    if not reply then
      reply, created = acquire_one(try, KEYS[key], KEYS[key + 1], ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3])
    end
    if not reply then
      keys, arguments = {KEYS[key], KEYS[key + 1]}, {ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3], '', ARGV[arg + 4]}
    end
    key, arg = key + 2, arg + 5
  elseif name == 'release-one' then
    local lock, prefix, channel = KEYS[key], ARGV[arg + 1], ARGV[arg + 2]
    local value
    name = 'release'
    reply, value = release_one(try, lock, prefix)
    if not reply then
      keys, arguments = {lock}, {prefix, channel}
    elseif value and channel ~= '' then
      if channels then
        channels[#channels + 1], released[#released + 1] = channel .. lock, value
      else
        channels, released = {channel .. lock}, {value}
      end
    end
    key, arg = key + 1, arg + 3
  else
    local next_key, first = key + ARGV[arg + 1], arg + 3
    local next_arg = first + ARGV[arg + 2]
    reply = (name == 'acquire' or name == 'join') and refusal or nil
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
  replies[#replies + 1] = reply
end

-- Announces the releases to waiters: the fencing token of the lease, and the number of replicas that wait; "" if another program wrote
-- the value. Ignores a failed announcement (R12).
if channels then
  local waiting = try('PUBSUB', 'NUMSUB', unpack(channels))
  for i, channel in ipairs(channels) do
    local replicas = waiting[2 * i]
    if type(replicas) == 'number' and replicas > 0 then
      local fence = string.match(released[i], '^%S+ %S+ %d+ (%d+)')
      try('PUBLISH', channel, fence and fence .. ' ' .. replicas or '')
    end
  end
end
return replies[2] and replies or replies[1]
