-- Functions for the value of one holder of a lock, for all operations of a batch. "clock" is a table that they share.
--
-- A value is "token attempt used fence terms owner":
--   attempt  that wrote it, with "+" once a lease may be based on it; "kept" if nobody holds the lock, and its name stays taken
--   used     the number of extensions
--   fence    the fencing token, with "=" once it was raised
--   terms    the TTL in ms, and without a space the mark of the names of a lease of several, or the kind: "/shared", "/slots4.2"
--   owner    may have spaces, or be empty
--
-- A lock that only one client can hold is a string: the value. A lock that several clients can hold is a hash: "end value" for the
-- token of each, with the end in ms by the clock of the master, and "kind first mark writer" for the empty field. No holder's end is
-- before first. Before the time of the mark, nobody new gets in but a client that waits on the replica writer to hold the lock alone.
-- Without a mark it is 0, and no writer follows.

-- Returns token, attempt, used, fence, raised ("=" or ""), terms and owner of a value, as text; nil if another program wrote it.
local function parse(value)
  return string.match(value, '^(%S+) (%S+) (%d+) (%d+)(=?) (%S+) (.*)$')
end

-- Returns the value with these fields.
local function format(token, attempt, used, fence, raised, terms, owner)
  return token .. ' ' .. attempt .. ' ' .. used .. ' ' .. fence .. raised .. ' ' .. terms .. ' ' .. owner
end

-- Returns whether nobody holds the lock any more, and its name stays taken.
local function is_kept(value)
  return string.find(value, '^%S+ kept ')
end

-- Returns the time in ms, the same for the whole batch.
local function now()
  if not clock.now then
    local time = redis.call('TIME')
    clock.now = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return clock.now
end

-- Returns the error of a reply, or nil.
local function failed(reply)
  return type(reply) == 'table' and reply.err or nil
end

-- Returns the value of the only holder, or of this one of several, and its end if there are several; nil if there is none, or if
-- its time is over; nil, nil, and an error.
local function read(key, token)
  if redis.call('TYPE', key).ok ~= 'hash' then
    local value = redis.pcall('GET', key)
    if failed(value) then
      return nil, nil, value.err
    end
    return value or nil
  end
  local ends, own = string.match(redis.call('HGET', key, token) or '', '^(%d+) (.*)$')
  if own and tonumber(ends) > now() then
    return own, tonumber(ends)
  end
  if own then
    -- As Redis does with an expired key: a clock that is set back later must not bring it back.
    redis.call('HDEL', key, token)
  end
end

-- Returns the time in ms until the end of a value that was read.
local function left(key, ends)
  return ends and ends - now() or redis.call('PTTL', key)
end

-- Returns the kind, first, mark and writer of a lock for several holders; nil if it is not such a lock.
local function header(key)
  local text = redis.pcall('HGET', key, '')
  local kind, first, mark, writer = string.match(failed(text) and '' or text or '', '^(%S+) (%d+) (%d+) ?(%S*)$')
  return kind, tonumber(first), tonumber(mark), writer
end

-- Leaves out a mark that has ended.
local function write_header(key, kind, first, mark, writer)
  redis.pcall('HSET', key, '', kind .. ' ' .. first .. ' ' .. (mark > now() and mark .. ' ' .. writer or '0'))
end

-- Replaces a value that was read. Without a TTL it keeps its end. Returns the error, or nil.
local function write(key, token, value, ends, ttl)
  if not ends then
    if ttl then
      return failed(redis.pcall('SET', key, value, 'PX', ttl))
    end
    return failed(redis.pcall('SET', key, value, 'KEEPTTL'))
  end
  local news = ttl and now() + ttl or ends
  local error = failed(redis.pcall('HSET', key, token, news .. ' ' .. value))
  if error then
    return error
  end
  if news < ends then
    local kind, first, mark, writer = header(key)
    write_header(key, kind, math.min(first, news), mark, writer)
  elseif ttl and redis.call('PTTL', key) < ttl then
    redis.call('PEXPIRE', key, ttl)
  end
end

-- Reads the holders of a lock for several, as a list of {token, end, value}, and removes those whose time is over. Also returns the
-- kind, the smallest end, the mark and its writer. Returns nil if it is not such a lock.
local function holders(key)
  local kind, first, mark, writer = header(key)
  if not kind then
    return nil
  end
  local found, least = {}, math.huge
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    local ends, value = string.match(all[i + 1], '^(%d+) (.*)$')
    if all[i] ~= '' and tonumber(ends) > now() then
      found[#found + 1] = {all[i], tonumber(ends), value}
      least = math.min(least, tonumber(ends))
    elseif all[i] ~= '' then
      redis.call('HDEL', key, all[i])
    end
  end
  if now() >= first and found[1] then
    -- Without it each later release would read all holders again.
    write_header(key, kind, least, mark, writer)
  end
  return found, kind, least, mark, writer
end

-- Returns the key of the permission to restore a lease: the name of an attempt. A delete that does not find the lease ends it.
local function permit_of(key, token)
  return 'quorumlock:permit:' .. key .. ' ' .. token .. '/'
end

-- Stores a fence in counters that are smaller. Returns the error, or nil.
local function raise_counters(counters, fence)
  for _, key in ipairs(counters) do
    local counter = redis.pcall('GET', key)
    if failed(counter) then
      return counter.err
    end
    if (counter and tonumber(counter) or 0) < tonumber(fence) then
      local error = failed(redis.pcall('SET', key, fence))
      if error then
        return error
      end
    end
  end
end

-- Returns the mark of the names in the terms of a lease of several locks; "" for a lease of one.
local function names_of(terms)
  return string.match(terms, '^%d+(/%d.*)') or ''
end

-- Returns the kind in the terms of a lock that several clients can hold, with the slot of a semaphore; "" for an exclusive lock.
local function kind_of(terms)
  return string.match(terms, '^%d+(/%l.*)') or ''
end

-- Returns the slot of a semaphore in a value; nil for another lock.
local function slot_of(value)
  local _, _, _, _, _, terms = parse(value)
  return terms and string.match(terms, '^%d+/slots%d+%.(%d+)$')
end
