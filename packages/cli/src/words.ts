/** What other programs call a verb, and which of ours does it. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  ls: ['list'],
  get: ['show'],
  rm: ['delete'],
  remove: ['delete'],
  add: ['put', 'issue'],
  create: ['put', 'issue'],
}

export const aliasesOf = (verb: string): readonly string[] =>
  Object.keys(ALIASES).filter((word) => ALIASES[word]?.includes(verb))

/** Whether the word asks for something new, so that what is there must not be replaced. */
export const asksForNew = (word: string | undefined): boolean => word === 'add' || word === 'create'

/** Whether it takes something back: the nearest word is then often the one that did it. */
const takesBack = (word: string): boolean => /^(?:--)?(?:un|dis|de-|non?-|without-)/.test(word)

/** What of `near` may be suggested for a word that is not known: never the opposite of what was meant. */
export const suggestionsFor = (word: string, near: readonly string[]): readonly string[] =>
  near.filter((each) => takesBack(each) === takesBack(word))
