const SECOND = 1_000

/** The instant, cut to whole seconds. */
export const wholeSecond = (milliseconds: number): number => Math.floor(milliseconds / SECOND) * SECOND
