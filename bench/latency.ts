/**
 * Percentiles of latencies, each counted as wrk counts it: a request that took much longer than the time in which a
 * connection usually makes one stands also for those that would have been made meanwhile, each of which waited a usual
 * time less. Otherwise a pause of the server counts once for each connection, however long it is.
 */
export const percentiles = (latencies: readonly number[], usual: number): ((share: number) => number) => {
  const all = [...latencies]
  for (const latency of latencies)
    if (latency > 2 * usual) for (let left = latency - usual; left > usual; left -= usual) all.push(left)
  const sorted = Float64Array.from(all).sort()
  return (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
