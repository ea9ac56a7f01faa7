const INTERRUPTED = 130

/** Aborted by the first Ctrl-C or SIGTERM, which ends things in order; the second ends them at once. */
export const interruption = (): AbortSignal => {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED)
      controller.abort()
    })
  }
  return controller.signal
}
