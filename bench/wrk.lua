-- Arguments: the number of the first request, and the request as it goes over the wire, {n} for its number.
-- The numbers are spread as by distinct.ts. One thread only: it counts.
statuses = {}
number = 0
local head, tail

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  number = tonumber(arguments[1])
  local from, to = arguments[2]:find('{n}', 1, true)
  if from then
    head, tail = arguments[2]:sub(1, from - 1), arguments[2]:sub(to + 1)
  else
    head = arguments[2]
  end
end

function request()
  local digits = tail and string.format('%09d', number * 7368787 % 1000000000) .. tail or ''
  number = number + 1
  return head .. digits
end

function response(status)
  statuses[status] = (statuses[status] or 0) + 1
end

function done(summary, latency)
  local counts = {}
  for status, count in pairs(threads[1]:get('statuses')) do
    table.insert(counts, string.format('"%d":%d', status, count))
  end
  local errors = summary.errors
  print(string.format(
    '{"next":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"errors":%d,"statuses":{%s}}',
    threads[1]:get('number'), summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.timeout, table.concat(counts, ',')
  ))
end
