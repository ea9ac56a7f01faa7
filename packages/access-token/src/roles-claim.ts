/** The roles that a claim lists: an array of strings, or one space-separated string. Anything else lists none. */
export const rolesClaim = (claim: unknown): readonly string[] => {
  if (typeof claim === 'string') return Object.freeze(claim.split(' ').filter((role) => role !== ''))
  const isList = Array.isArray(claim) && claim.every((role): role is string => typeof role === 'string')
  return Object.freeze(isList ? [...claim] : [])
}
