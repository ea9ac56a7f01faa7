const SPACE = 1_000_000_000
// Without a common factor with SPACE, so that no two numbers below it meet.
const STEP = 7_368_787

/** What stands for the number of a request in its path or body. */
export const PLACEHOLDER = '{n}'

/** Nine digits for each number, all different and in no order: addresses do not come sorted, an index must not gain. */
export const distinct = (number: number): string => String((number * STEP) % SPACE).padStart(9, '0')
