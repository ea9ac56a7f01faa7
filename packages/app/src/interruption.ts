const INTERRUPTED = 130
// Milliseconds: a terminal signals every process of the group, and some of them forward the signal.
const ONE_PRESS = 300

/** Aborted by the first Ctrl-C or SIGTERM, which ends things in order; the second ends them at once. */
export const interruption = ({ underNpm }: { readonly underNpm: boolean }): AbortSignal => {
  const controller = new AbortController()
  let first = Number.POSITIVE_INFINITY
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (performance.now() - first > ONE_PRESS) process.exit(INTERRUPTED)
      first = Math.min(first, performance.now())
      controller.abort()
    })
  }
  if (underNpm) watchParent(() => controller.abort())
  return controller.signal
}

const LOOK_AGAIN = 500

// npm asks the shell that it started to stop, and the shell passes nothing on: it just ends.
const watchParent = (onGone: () => void): void => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, LOOK_AGAIN)
  timer.unref()
}
