-- Stores the lease's fencing token if the token still holds the locks (R10), so that later grants on this master have larger ones.
-- KEYS the n locks, then their n counters
-- prefix   "token "
-- proposed the fence
-- events   the channel of events, if there are subscribers
-- Returns 1: stored, {0, i}: KEYS[i] is free or released, {-2, i}: another token holds it, {-1, error}.
local n = #KEYS / 2
local prefix, proposed, events = unpack(ARGV)
local token = string.match(prefix, '^%S+')
local value, ends, error
for i = 1, n do
  value, ends, error = read(KEYS[i], token)
  if error then
    return {-1, error}
  end
  if not value then
    return {0, i}
  end
  if string.sub(value, 1, #prefix) ~= prefix then
    return {-2, i}
  end
  if is_kept(value) then
    return {0, i}
  end
end
error = raise_counters({unpack(KEYS, n + 1)}, proposed)
if error then
  return {-1, error}
end
local _, attempt, used, known, raised, terms, owner = parse(value)
-- The fence is never lowered: a call may have been answered with the fence that it found. A larger fence is confirmed ("="), because
-- this master counts for the fence of this command.
local more = tonumber(proposed) - tonumber(known)
if more <= 0 and raised == '=' then
  return 1
end
local fence = more > 0 and proposed or known
value = format(token, attempt, used, fence, '=', terms, owner)
for i = 1, n do
  error = write(KEYS[i], token, value, ends)
  if error then
    return {-1, error}
  end
  if events and fence ~= known then
    local rest = left(KEYS[i], ends)
    redis.pcall('PUBLISH', events, 'acquired' .. kind_of(terms) .. ' ' .. fence .. ' ' .. rest .. ' ' .. #KEYS[i] .. ' ' .. KEYS[i] .. owner)
  end
end
return 1
