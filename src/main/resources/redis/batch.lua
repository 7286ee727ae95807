-- Runs the operations of a batch in order, each as if it were a script of its own.
-- KEYS[1] a key that never exists, then the keys of all operations
-- ARGV for each operation: its name, the number of its keys, the number of its arguments, and these. Two usual ones are shorter:
-- "acquire-one", value, TTL, fence, and how long the attempt keeps others out, with 2 keys, and "release-one", "token " or
-- "token attempt ", and the prefix of the channels of releases, or "", with 1 key. They are the acquire and the release of one lock
-- for one holder, without the other arguments.
-- Returns the time as {seconds, microseconds, reply, …}. The header comments of the operations define the replies. An error of an
-- operation is its reply: {-1, error}.
--
-- The usual ones come first, because even to define the functions of the others costs time.
local KEYS, ARGV, try = KEYS, ARGV, redis.pcall
local clock = redis.call('TIME')
local operations
local channels, released = {}, {}

local refusal = nil
if KEYS[4] then
  -- A write that changes nothing and is refused as any other. First, because Redis refuses none of a script that has written, so that
  -- a release would let acquires in although the memory is full.
  local write = try('SET', KEYS[1], '', 'XX')
  refusal = write and write.err
end

local function run(name, keys, arguments, created)
  operations = operations or define(clock)
  local done, reply = pcall(operations[name], keys, arguments, created)
  return done and reply or {-1, type(reply) == 'table' and reply.err or reply}
end

local function acquire_one(lock, counter, value, ttl, fence, reservation)
  local set = try('SET', lock, value, 'NX', 'PX', ttl)
  if set and set.err then
    return {-1, set.err}
  end
  if set then
    local last = try('SET', counter, fence, 'GET')
    local counted = last and tonumber(last)
    if not last or counted and counted < tonumber(fence) then
      return tonumber(fence)
    end
    if not last.err then
      try('SET', counter, last)
    end
  end
  return run('acquire', {lock, counter}, {value, ttl, fence, '', reservation}, set and true)
end

-- Reads the value "token attempt used fence terms owner", as in grant.lua, with terms that are only the TTL. Patterns and captures
-- cost more time than the rest.
local function release_one(lock, prefix, channel)
  local value = try('GET', lock)
  if not value or value.err or string.sub(value, #prefix + 1, #prefix + 5) == 'kept '
    or string.find(value, '/', 1, true) and not string.find(value, '^%S+ %S+ %d+ %d+=? %d+ ')
  then
    return run('release', {lock}, {prefix, channel})
  end
  if string.sub(value, 1, #prefix) ~= prefix then
    return {-2, 1}
  end
  local done = try('DEL', lock)
  if done ~= 1 then
    return {-1, done.err}
  end
  if channel ~= '' then
    channels[#channels + 1] = channel .. lock
    released[#released + 1] = value
  end
  return 1
end

local replies, key, arg = clock, 2, 1
while ARGV[arg] do
  local name, reply = ARGV[arg], nil
  if name == 'acquire-one' then
    reply = refusal and {-1, refusal}
      or acquire_one(KEYS[key], KEYS[key + 1], ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3], ARGV[arg + 4])
    key, arg = key + 2, arg + 5
  elseif name == 'release-one' then
    reply = release_one(KEYS[key], ARGV[arg + 1], ARGV[arg + 2])
    key, arg = key + 1, arg + 3
  else
    local next_key, first = key + ARGV[arg + 1], arg + 3
    local next_arg = first + ARGV[arg + 2]
    reply = refusal and (name == 'acquire' or name == 'join') and {-1, refusal}
      or run(name, {unpack(KEYS, key, next_key - 1)}, {unpack(ARGV, first, next_arg - 1)})
    key, arg = next_key, next_arg
  end
  replies[#replies + 1] = reply
end

-- Announces the releases to waiters: the fencing token of the lease, and the number of replicas that wait; "" if another program wrote
-- the value. Ignores a failed announcement (R12).
if channels[1] then
  local waiting = try('PUBSUB', 'NUMSUB', unpack(channels))
  for i, channel in ipairs(channels) do
    local replicas = waiting[2 * i]
    if type(replicas) == 'number' and replicas > 0 then
      local fence = string.match(released[i], '^%S+ %S+ %d+ (%d+)')
      try('PUBLISH', channel, fence and fence .. ' ' .. replicas or '')
    end
  end
end
return replies
