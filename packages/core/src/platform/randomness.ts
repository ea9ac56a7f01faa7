/** Unpredictable random values. */
export interface Randomness {
  /** `bytes` unpredictable bytes as lower-case hexadecimal, twice as many characters. */
  hex(bytes: number): string
  /** A number from 0 up to, but not including, 1. Need not be unpredictable. */
  fraction(): number
}
