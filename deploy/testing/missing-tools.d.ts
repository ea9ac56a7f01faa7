/** What the tests of `deploy` need and this machine has not: sentences that say how to get it. */
export declare const missingForDeploy: (isThere: (name: string) => boolean) => (string | undefined)[]
