-- Gives the locks a new TTL if the token still holds all of them (R7). Never shortens the TTL: if the reply is lost, the holder
-- relies on the old end.
-- KEYS the locks; ARGV[1] "token ", ARGV[2] the TTL in ms, ARGV[3] the maximum number of extensions,
-- ARGV[4] the mark of the names in the value, ARGV[5] the channel of events, if there are subscribers
-- Returns {used, fence, attempt, age, terms}, {0, i}: KEYS[i] is free or released, {-2, i}: another token holds it, {-3}: no extension
-- left (R13), {-1, error}.
-- The age is the time in ms since the grant; -1 if the fence was raised, or if an earlier extension checked it.
local token = string.match(ARGV[1], '^%S+')
local least, value, ends, error = math.huge, nil, nil, nil
for i = 1, #KEYS do
  value, ends, error = read(KEYS[i], token)
  if error then
    return {-1, error}
  end
  if not value then
    return {0, i}
  end
  if string.sub(value, 1, #ARGV[1]) ~= ARGV[1] or names_of(value) ~= ARGV[4] then
    return {-2, i}
  end
  if string.find(value, '^%S+ kept ') then
    return {0, i}
  end
  least = math.min(least, left(KEYS[i], ends))
end
local attempt, used, fence, terms = string.match(value, '^%S+ (%S+) (%d+) (%d+=?) (.*)$')
used = used + 1
if used > tonumber(ARGV[3]) then
  return {-3}
end
-- The "+" protects the extended value from the clean-up of an abandoned attempt, as after an adoption.
if string.sub(attempt, -1) ~= '+' then
  attempt = attempt .. '+'
end
local age = -1
if used == 1 and string.sub(fence, -1) ~= '=' then
  -- Never -1, even if the wall clock was set back a little.
  age = math.max(0, string.match(terms, '^%d+') - least)
end
local ttl = math.max(least, tonumber(ARGV[2]))
value = ARGV[1] .. attempt .. ' ' .. used .. ' ' .. fence .. ' ' .. terms
fence = string.match(fence, '%d+')
for i = 1, #KEYS do
  error = write(KEYS[i], token, value, ends, ttl)
  if error then
    return {-1, error}
  end
  if ARGV[5] then
    local owner = string.match(terms, '^%S+ (.*)$') or ''
    redis.pcall('PUBLISH', ARGV[5], 'extended' .. kind_of(terms) .. ' ' .. fence .. ' ' .. ttl .. ' ' .. #KEYS[i] .. ' ' .. KEYS[i] .. owner)
  end
end
return {used, fence, attempt, age, terms}
