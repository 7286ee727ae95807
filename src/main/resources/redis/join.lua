-- Adds an attempt to the holders of one lock, or returns who keeps it out.
-- KEYS and the first ARGV as in grant.lua, ARGV[5] the kind: "/shared", or "/slots4" for a semaphore, ARGV[6] its slot, or ""
-- Returns as acquire.lua, and {4, slots}: the lock has another number of slots. {5, left, value, 1, slot, …}:
-- another token has the slot, and these are free, or this token has this one.
--
-- One more holder of a shared lock comes first, because even to define the functions for the other cases costs time: no writer
-- waits, and nobody's time is over.
local MOST_HOLDERS = 1000
if ARGV[5] == '/shared' and ARGV[4] == '' then
  local lease, ttl, proposed = unpack(ARGV, 1, 3)
  local token = string.match(lease, '^%S+')
  local entry = redis.pcall('HMGET', KEYS[1], token, '')
  local first = string.match(entry[2] or '', '^/shared (%d+) 0$')
  if first and not entry[1] and redis.call('HLEN', KEYS[1]) <= MOST_HOLDERS then
    local ends = now() + ttl
    local last = redis.pcall('GET', KEYS[2]) or '0'
    if now() < tonumber(first) and tonumber(first) <= ends and not last.err and tonumber(last) < tonumber(proposed) then
      local added = redis.pcall('HSET', KEYS[1], token, ends .. ' ' .. lease)
      if added ~= 1 then
        return {-1, added.err}
      end
      if redis.call('PTTL', KEYS[1]) < tonumber(ttl) then
        redis.call('PEXPIRE', KEYS[1], ttl)
      end
      redis.call('SET', KEYS[2], proposed)
      return tonumber(proposed)
    end
  end
end
