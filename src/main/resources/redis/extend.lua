-- Gives the locks a new TTL if the token still holds all of them (R7). Never shortens the TTL: if the reply is lost, the holder
-- relies on the old end.
-- KEYS the locks
-- prefix "token "
-- ttl    in ms
-- most   the maximum number of extensions
-- names  the mark of the names in the value
-- events the channel of events, if there are subscribers
-- Returns {used, fence, attempt, age, terms}, {0, i}: KEYS[i] is free or released, {-2, i}: another token holds it, {-3}: no extension
-- left (R13), {-1, error}.
-- The age is the time in ms since the grant; -1 if the fence was raised, or if an earlier extension checked it.
local prefix, ttl, most, names, events = unpack(ARGV)
local token = string.match(prefix, '^%S+')
local least, value, ends, error = math.huge, nil, nil, nil
local _, attempt, used, fence, raised, terms, owner
for i = 1, #KEYS do
  value, ends, error = read(KEYS[i], token)
  if error then
    return {-1, error}
  end
  if not value then
    return {0, i}
  end
  _, attempt, used, fence, raised, terms, owner = parse(value)
  if string.sub(value, 1, #prefix) ~= prefix or not terms or names_of(terms) ~= names then
    return {-2, i}
  end
  if is_kept(value) then
    return {0, i}
  end
  least = math.min(least, left(KEYS[i], ends))
end
used = used + 1
if used > tonumber(most) then
  return {-3}
end
-- The "+" protects the extended value from the clean-up of an abandoned attempt, as after an adoption.
if string.sub(attempt, -1) ~= '+' then
  attempt = attempt .. '+'
end
local age = -1
if used == 1 and raised == '' then
  -- Never -1, even if the wall clock was set back a little.
  age = math.max(0, string.match(terms, '^%d+') - least)
end
ttl = math.max(least, tonumber(ttl))
value = format(token, attempt, used, fence, raised, terms, owner)
for i = 1, #KEYS do
  error = write(KEYS[i], token, value, ends, ttl)
  if error then
    return {-1, error}
  end
  if events then
    redis.pcall('PUBLISH', events, 'extended' .. kind_of(terms) .. ' ' .. fence .. ' ' .. ttl .. ' ' .. #KEYS[i] .. ' ' .. KEYS[i] .. owner)
  end
end
return {used, fence, attempt, age, terms .. ' ' .. owner}
