-- Decides whether the node may vote, by what it remembers of itself (R9): a restart without its data shows in a marker that is gone
-- or names another process.
-- KEYS[1] the marker {run_id, nodes, keeps}, KEYS[2] the quarantine
-- ARGV[1] run_id, ARGV[2] configured nodes, ARGV[3] 1 if the node keeps every write, ARGV[4] the quarantine in ms,
-- ARGV[5] "ask"; "found": all nodes are new, so nothing was lost; "doubt": not all are; "stepped": its wall clock was moved
-- Answers {1, left}: admitted once the quarantine is over, {2}: new, and others must be asked,
-- {3, nodes}: marked by a service with another number of nodes, {-1, error}.
local marker = redis.pcall('HMGET', KEYS[1], 'run_id', 'nodes', 'keeps')
if marker.err then
  return {-1, marker.err}
end
local run_id, nodes, kept = unpack(marker)
if run_id and nodes ~= ARGV[2] then
  return {3, tonumber(nodes)}
end
if not run_id and ARGV[3] == '1' and ARGV[5] == 'ask' then
  return {2}
end
local same = run_id == ARGV[1]
local kept_all = run_id and kept == '1' and ARGV[3] == '1'
local founded = not run_id and ARGV[5] == 'found'
local lost = not (same or kept_all or founded)
if lost or ARGV[5] == 'stepped' then
  local cold = redis.pcall('SET', KEYS[2], '1', 'PX', ARGV[4])
  if cold.err then
    return {-1, cold.err}
  end
end
local marked = redis.pcall('HSET', KEYS[1], 'run_id', ARGV[1], 'nodes', ARGV[2], 'keeps', ARGV[3])
if type(marked) ~= 'number' then
  return {-1, marked.err}
end
return {1, math.max(0, redis.call('PTTL', KEYS[2]))}
