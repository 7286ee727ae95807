-- Decides whether the node may vote, by its marker and by the age that other nodes remember (R9). Evidence of lost data: the
-- marker is missing, has another run_id or id, or is older than one seen before. Runs on each connect and heartbeat.
-- KEYS[1] the marker {run_id, nodes, keeps, id, age, others, witness}, KEYS[2] the quarantine, KEYS[3] the longest quarantine of any replica
-- ARGV[1] run_id, ARGV[2] number of configured nodes, ARGV[3] 1 if the node persists every write, ARGV[4] the quarantine in ms,
-- ARGV[5] the longest quarantine that other nodes reported, in ms,
-- ARGV[6] the occasion. "look": only read; "ask": a new connection; "found": all nodes are new, so no data was lost;
-- "doubt": not all nodes are new; "stepped": the wall clock stepped; "check": the node was already admitted on this connection
-- ARGV[7] the expected id of the node, or "", ARGV[8] the largest age of the marker seen before, or 0,
-- ARGV[9] a new id for a node without one, ARGV[10] the ages of other nodes, "id=age id=age"
-- Returns {1, left, id, age, longest, others}: admitted after the quarantine. {2}: new; the state of the other nodes decides.
-- {3, nodes}: the marker is that of a fleet with another number of nodes. {-1, error}.
local RAISE_EVERY = 500
-- The time after which raising the age is more urgent than the witness: the check before was late.
local OVERDUE = 1500
local marker = redis.pcall('HMGET', KEYS[1], 'run_id', 'nodes', 'keeps', 'id', 'age', 'others', 'witness')
if marker.err then
  return {-1, marker.err}
end
local run_id, nodes, kept, id, age, others, witness = unpack(marker)
local longest = redis.pcall('GET', KEYS[3])
if type(longest) == 'table' then
  return {-1, longest.err}
end
local cold = redis.pcall('GET', KEYS[2])
if type(cold) == 'table' then
  return {-1, cold.err}
end
if ARGV[6] == 'look' then
  return {1, math.max(0, redis.call('PTTL', KEYS[2])), id or '', tonumber(age or 0), tonumber(longest or 0), others or ''}
end
if run_id and nodes ~= ARGV[2] then
  return {3, tonumber(nodes)}
end
if not run_id and ARGV[3] == '1' and ARGV[6] == 'ask' and ARGV[7] == '' then
  return {2}
end

local same = run_id == ARGV[1]
local kept_all = run_id and kept == '1' and ARGV[3] == '1' and ARGV[6] ~= 'check'
local founded = not run_id and ARGV[6] == 'found'
local another = id and ARGV[7] ~= '' and id ~= ARGV[7]
local older = tonumber(age or 0) < tonumber(ARGV[8])
-- Redis 7.0 to 8.4 and Valkey skip transactions when they load their append-only file, if the default user lacks permission for
-- the commands. Votes are transactions. Therefore the age is written in a transaction, and the witness later in a single command.
local left_out = tonumber(witness or 0) > tonumber(age or 0)
local lost = not (same or kept_all or founded) or another or older or left_out
-- A loss before or during a quarantine causes no second one. Otherwise replicas with different knowledge would extend it by turns.
if same and cold then
  lost = false
end

local length = math.max(tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(longest or 0))
local set
if lost or ARGV[6] == 'stepped' then
  set = redis.pcall('SET', KEYS[2], length, 'PX', length)
elseif cold and length > tonumber(cold) then
  set = redis.pcall('SET', KEYS[2], length, 'PX', redis.call('PTTL', KEYS[2]) + length - tonumber(cold))
elseif cold and redis.call('PTTL', KEYS[2]) > tonumber(cold) then
  -- The wall clock stepped back.
  set = redis.pcall('SET', KEYS[2], length, 'PX', length)
end
if set and set.err then
  return {-1, set.err}
end

-- A node that is out of memory still accepts releases, so a failed write in a check does not disconnect it.
local must = lost or ARGV[6] ~= 'check' or kept ~= ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local before = tonumber(age or 0)
if not must and not set and witness ~= age and now - before < OVERDUE then
  redis.pcall('HSET', KEYS[1], 'witness', age)
  return {1, math.max(0, redis.call('PTTL', KEYS[2])), id, tonumber(age), tonumber(longest or 0), others or ''}
end
if tonumber(ARGV[4]) >= tonumber(longest or 0) and redis.call('PTTL', KEYS[3]) < ARGV[4] - RAISE_EVERY then
  set = redis.pcall('SET', KEYS[3], ARGV[4], 'PX', ARGV[4])
  if set.err and must then
    return {-1, set.err}
  end
  longest = ARGV[4]
end

if lost or not id then
  id = ARGV[7] ~= '' and ARGV[7] or ARGV[9]
end
local raised = before
if lost or older or math.abs(now - before) >= RAISE_EVERY then
  raised = math.max(before + 1, tonumber(ARGV[8]) + 1, tonumber(witness or 0) + 1, now)
  local ages = {}
  local ids = {}
  for other, text in string.gmatch((others or '') .. ' ' .. ARGV[10], '(%S+)=(%d+)') do
    if not ages[other] then
      ids[#ids + 1] = other
    end
    ages[other] = math.max(ages[other] or 0, tonumber(text))
  end
  table.sort(ids, function(a, b) return ages[a] > ages[b] end)
  local texts = {}
  for i = 1, math.min(#ids, 2 * ARGV[2]) do
    texts[i] = ids[i] .. '=' .. string.format('%.0f', ages[ids[i]])
  end
  others = table.concat(texts, ' ')
end
if must or raised ~= before then
  local marked = redis.pcall('HSET', KEYS[1], 'run_id', ARGV[1], 'nodes', ARGV[2], 'keeps', ARGV[3], 'id', id,
    'others', others or '')
  if type(marked) == 'number' then
    -- The second write makes it a transaction.
    marked = redis.pcall('HSET', KEYS[1], 'age', string.format('%.0f', raised))
  end
  if type(marked) ~= 'number' then
    if must then
      return {-1, marked.err}
    end
    raised = before
  end
end
return {1, math.max(0, redis.call('PTTL', KEYS[2])), id, raised, tonumber(longest or 0), others or ''}
