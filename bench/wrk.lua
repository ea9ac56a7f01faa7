-- Arguments: the number of the first request; the request as it goes over the wire, {n} for its number; and a file with a
-- line for each number, if that is to stand in place of it: the load ends when four fifths of them were asked for, and the
-- rest is for those who ask next. Numbers are spread as `distinct` does it. One thread only: it counts.
local ffi = require('ffi')
ffi.cdef('int getpid(void); int kill(int pid, int signal);')
local SIGINT = 2

statuses = {}
number = 0
local parts, names, last = {}, nil, nil

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  number = tonumber(arguments[1])
  for part in (arguments[2] .. '{n}'):gmatch('(.-){n}') do
    table.insert(parts, part)
  end
  if arguments[3] then
    names = {}
    for line in io.lines(arguments[3]) do
      table.insert(names, line)
    end
    last = math.floor(#names * 4 / 5)
  end
end

function request()
  local name = names and names[number + 1] or string.format('%09d', number * 7368787 % 1000000000)
  number = number + 1
  return table.concat(parts, name)
end

function response(status)
  statuses[status] = (statuses[status] or 0) + 1
  if last and number >= last then
    wrk.thread:stop()
    -- The main thread sleeps until then.
    ffi.C.kill(ffi.C.getpid(), SIGINT)
  end
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
