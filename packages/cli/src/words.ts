/** What other programs call a verb, and which of ours does it. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  ls: ['list'],
  get: ['show'],
  rm: ['delete'],
  remove: ['delete'],
  add: ['put', 'issue'],
  create: ['put', 'issue'],
}

/** The words that mean this verb, too. */
export const aliasesOf = (verb: string): readonly string[] =>
  Object.keys(ALIASES).filter((word) => ALIASES[word]?.includes(verb))

/** Whether the word asks for something new, so that what is there must not be replaced. */
export const asksForNew = (word: string | undefined): boolean => word === 'add' || word === 'create'

/** What undoes or does a thing by a word that is not near to ours. */
const MEANT = new Map(
  Object.entries({
    activate: ['resume'],
    ban: ['suspend'],
    change: ['set'],
    deactivate: ['suspend'],
    del: ['delete'],
    describe: ['show'],
    destroy: ['delete'],
    disable: ['suspend'],
    edit: ['set'],
    enable: ['resume'],
    info: ['show'],
    new: ['put', 'issue'],
    purge: ['delete'],
    recover: ['restore'],
    remove: ['revoke', 'erase', 'lift'],
    revive: ['restore'],
    rm: ['revoke', 'erase', 'lift'],
    unban: ['resume'],
    unblock: ['lift', 'resume'],
    undelete: ['restore'],
    undo: ['restore'],
    unsubscribe: ['end'],
    unsuppress: ['lift'],
    unsuspend: ['resume'],
    update: ['set'],
  }),
)

/** Whether it takes something back: the nearest word is then often the one that did it. */
const takesBack = (word: string): boolean => /^(?:--)?(?:un|dis|de-|non?-|without-)/.test(word)

/** What of `near` may be suggested for a word that is not known among these: never the opposite of what was meant. */
export const suggestionsFor = (word: string, near: readonly string[], known: readonly string[]): readonly string[] => {
  const meant = MEANT.get(word)?.filter((each) => known.includes(each)) ?? []
  return meant.length > 0 ? meant : near.filter((each) => takesBack(each) === takesBack(word))
}
