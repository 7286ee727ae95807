-- Deletes the lock if its value begins with what the caller shows: compared and deleted in one step (R6).
-- KEYS[1] the lock; ARGV[1] "token ", or "token attempt "
-- Answers 1: deleted, 0: nobody holds it, -2: another does, {-1, error}.
local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if type(value) ~= 'string' then
  return {-1, value.err}
end
if string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then
  return -2
end
local deleted = redis.pcall('DEL', KEYS[1])
return type(deleted) == 'number' and deleted or {-1, deleted.err}
