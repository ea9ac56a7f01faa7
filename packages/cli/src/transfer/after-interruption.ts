const RUN_AGAIN = 'Interrupted. Run the same command again to go on where it stopped.'

/** What a person who interrupted an import sees. */
export const AFTER_INTERRUPTION = {
  importSubscriptions: RUN_AGAIN,
  importSuppressions: RUN_AGAIN,
  // Run again, it would refuse the users that it has added.
  importUsers: 'Interrupted. What was added stays.',
} as const
