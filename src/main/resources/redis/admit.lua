-- Quarantines the master if it may have lost votes: without a marker, with one of another process unless the restart lost no
-- write, with one of another master, or after its clock stepped. Lengthens a quarantine if a replica requested a longer one.
-- KEYS[1] the marker {run_id, place, new}, KEYS[2] the quarantine, KEYS[3] the list of masters, KEYS[4] the longest quarantine of any replica
-- ARGV[1] run_id, ARGV[2] the replica's list of masters, ARGV[3] its quarantine in ms, ARGV[4] the longest that any master reported,
-- ARGV[5] "kept" if a restart lost no write, ARGV[6] "stepped" if the clock stepped, ARGV[7] the "new" of a quarantine to end, or "",
-- ARGV[8] "check" to write nothing, ARGV[9] the place of this master in the list
-- Returns {1, left, longest, new, refusal}: may vote after the quarantine; "new" names that of a master without a marker, "refusal" is
-- the error of the master if it accepts no writes. {0, list}: the list in use.
-- A write of a key that never exists, as in batch.lua. First, because Redis refuses none of a script that has written.
local write = redis.pcall('SET', 'quorumlock:nothing/', '', 'XX')
local refusal = type(write) == 'table' and write.err and (string.match(write.err, '%u%u+ .*') or write.err) or ''
local masters = redis.call('GET', KEYS[3])
if masters and masters ~= ARGV[2] then
  return {0, masters}
end
local run_id, place, new = unpack(redis.call('HMGET', KEYS[1], 'run_id', 'place', 'new'))
local length, left = tonumber(redis.call('GET', KEYS[2]) or 0), math.max(0, redis.call('PTTL', KEYS[2]))
local longest = math.max(tonumber(ARGV[3]), tonumber(ARGV[4]), length, tonumber(redis.call('GET', KEYS[4]) or 0))
local due = length > 0 and math.min(left, length) + longest - length or 0
local known = run_id == ARGV[1] or run_id and ARGV[5] == 'kept' and place == ARGV[9]
if not known or ARGV[6] == 'stepped' then
  due = longest
  new = not run_id and ARGV[5] == 'kept' and table.concat(redis.call('TIME'), '.') or ''
elseif new ~= '' and new == ARGV[7] then
  due, new = 0, ''
end
if ARGV[8] == 'check' then
  return {1, due, longest, '', refusal}
end
if due > 0 and due ~= left then
  redis.call('SET', KEYS[2], longest, 'PX', due)
elseif due == 0 and length > 0 then
  redis.call('DEL', KEYS[2])
end
if run_id ~= ARGV[1] or place ~= ARGV[9] or due ~= left then
  -- After the quarantine, so that a failure leaves the master without a vote.
  redis.call('HSET', KEYS[1], 'run_id', ARGV[1], 'place', ARGV[9], 'new', new)
end
local function remember(key, value, time)
  local unseen = redis.call('PTTL', key)
  -- Almost each check writes, so that its time is that of the disk as well.
  if unseen < time + 4500 or unseen > time + 5000 then
    redis.pcall('SET', key, value, 'PX', time + 5000) -- Fails if the master is out of memory, which must still accept releases.
  end
end
remember(KEYS[3], ARGV[2], longest)
if tonumber(ARGV[3]) >= tonumber(redis.call('GET', KEYS[4]) or 0) then
  remember(KEYS[4], ARGV[3], tonumber(ARGV[3]))
end
return {1, due, longest, due > 0 and new or '', refusal}
