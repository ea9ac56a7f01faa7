/** What the disk does wrong, as strace makes it do: https://man7.org/linux/man-pages/man1/strace.1.html */
export interface DiskFault {
  /** System calls, separated by commas. */
  readonly calls: string
  /** Such as `error=EIO` or `delay_enter=100000` (microseconds). */
  readonly effect: string
  /** Which of them, counted for each thread: `7`, `7+` for all from then on, `7..90`. Every one where it is left out. */
  readonly when?: string
}

export const injectionOf = ({ calls, effect, when }: DiskFault): string =>
  `inject=${calls}:${effect}${when === undefined ? '' : `:when=${when}`}`
