-- Acquires the locks for one attempt and one holder, all or none, or returns the current holders.
-- KEYS and the first ARGV as in grant.lua, ARGV[5] how long the attempt keeps others out if it is refused, in ms: of a shared
-- lock, or of the free ones of several locks. A name follows if others overtook a client for several locks.
-- "created" is set if the value was just written to one free lock.
-- Returns the fence: granted. {0, left, value, i, …}: other tokens hold the locks KEYS[i]. {2, left, used, fence, age}: this
-- token held them, adopted. {3}: this token holds some of them, or on other terms. {-1, error}.
-- The age is the time in ms since the grant; 0 if unknown; -1 if the fence was raised, and so was checked.

local longest, name = string.match(ARGV[5], '^(%d+)(.*)$')
longest = tonumber(longest)
-- The name in the mark that this attempt leaves. Attempts with the same name pass it.
local own_writer = string.match(attempt, '^[^.]*') .. name

-- Writes the value to the free locks. Returns an error, or nil.
local function create()
  for i = 1, n do
    local error = failed(redis.pcall('SET', KEYS[i], lease, 'PX', ttl))
    if error then
      -- Nothing was written: Redis checks its memory only before the first write of a batch.
      return error
    end
  end
end

-- Returns the last one of several holders, as the time left and the value; without holders, those of the mark of another writer;
-- false if the lock is free. Also returns an error, or whether this token is among them. A client that waits leaves its mark, unless
-- that of another replica lasts.
local function last_holder(key)
  local found, kind, first, mark, writer = holders(key)
  if not found then
    return nil, nil, 'WRONGTYPE not a lock'
  end
  local others = mark > now() and (longest == 0 or writer ~= own_writer)
  if not found[1] then
    return others and mark - now(), others and ''
  end
  local last, own = nil, false
  for _, holder in ipairs(found) do
    own = own or holder[1] == token
    last = last and last[2] >= holder[2] and last or holder
  end
  if kind == '/shared' and not others and longest > 0 and now() + longest > mark then
    write_header(key, kind, first, now() + longest, own_writer)
    if redis.call('PTTL', key) < longest then
      redis.call('PEXPIRE', key, longest)
    end
  end
  return last[2] - now(), last[3], nil, own
end

-- Keeps others out of free locks, as out of a shared lock without holders.
local function reserve(keys)
  for _, key in ipairs(keys) do
    write_header(key, '/shared', now() + longest, now() + longest, own_writer)
    redis.call('PEXPIRE', key, longest)
  end
end

-- Returns the reply for locks that other tokens or this one hold; nil if all of them are free.
local function occupied()
  local taken, first, in_use, free, marked = {0}, nil, false, {}, false
  for i = 1, n do
    local value, error = redis.pcall('GET', KEYS[i]), nil
    local rest
    if failed(value) and string.find(value.err, '^WRONGTYPE') then
      local own
      rest, value, error, own = last_holder(KEYS[i])
      if own then
        in_use, value = true, nil
      end
    elseif failed(value) then
      error = value.err
    end
    if error then
      return {-1, error}
    end
    if value and (rest or string.sub(value, 1, #token + 1) ~= token .. ' ' or is_kept(value)) then
      taken[#taken + 1] = rest or redis.call('PTTL', KEYS[i])
      taken[#taken + 1] = value
      taken[#taken + 1] = i
      marked = marked or value == ''
    elseif not value and not rest then
      value = nil
      free[#free + 1] = KEYS[i]
    end
    -- All values of a lease are equal.
    if i == 1 then
      first = value
    elseif first ~= value then
      in_use = true
    end
  end
  if taken[2] then
    -- Clients that keep each other out would wait for ever.
    if longest > 0 and not marked then
      reserve(free)
    end
    return taken
  end
  if in_use then
    return {3}
  end
  if not first then
    return nil
  end
  return is_same(first) and adopt(first) or {3}
end

if not created then
  local reply = occupied()
  if reply then
    return reply
  end
  local error = create()
  if error then
    return {-1, error}
  end
end
return grant(function()
  redis.call('DEL', unpack(KEYS, 1, n))
end)
