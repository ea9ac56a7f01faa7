/**
 * The chance that a value of one list is greater than one of the other (ties count half): what a stranger who compares
 * times gets right, of two outcomes that are equally likely. 0.5 is guessing, 1 is knowing; which is greater does not
 * matter.
 */
export const auc = (some: readonly number[], others: readonly number[]): number => {
  const all = [...some.map((value) => ({ value, own: true })), ...others.map((value) => ({ value, own: false }))]
  all.sort((one, other) => one.value - other.value)
  let ranks = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to++
    // Equal values share their places, counted from 1.
    const place = (from + 1 + to) / 2
    for (let n = from; n < to; n++) if (all[n]?.own) ranks += place
    from = to
  }
  const greater = (ranks - (some.length * (some.length + 1)) / 2) / (some.length * others.length)
  return Math.max(greater, 1 - greater)
}
