/** All texts of the pages in one language, as in a file of `languages`. Words in braces are placeholders. */
export type Texts = {
  readonly language: string
  readonly signUp: {
    readonly title: string
    readonly closedTitle: string
    readonly problemTitle: string
    readonly intro: string
    readonly closed: string
    readonly name: string
    readonly email: string
    readonly submit: string
    readonly link: string
    readonly trap: string
    readonly problems: string
    readonly embed: string
    readonly embedHint: string
    readonly problem: {
      readonly email: string
      readonly name: string
      readonly feed: string
      readonly locale: string
      readonly website: string
      readonly altcha: string
      readonly stamp: string
      readonly return_to: string
    }
  }
  readonly pending: {
    readonly title: string
    readonly text: string
    readonly hint: string
  }
  readonly confirm: {
    readonly title: string
    readonly question: string
    readonly button: string
    readonly doneTitle: string
    readonly done: string
    readonly againTitle: string
    readonly again: string
  }
  readonly refuse: {
    readonly title: string
    readonly question: string
    readonly button: string
    readonly doneTitle: string
    readonly done: string
    readonly againTitle: string
    readonly again: string
  }
  readonly unsubscribe: {
    readonly title: string
    readonly question: string
    readonly button: string
    readonly doneTitle: string
    readonly done: string
    readonly againTitle: string
    readonly again: string
  }
  readonly preferences: {
    readonly link: string
    readonly ask: {
      readonly title: string
      readonly intro: string
      readonly button: string
      readonly askedTitle: string
      readonly asked: string
      readonly hint: string
    }
    readonly title: string
    readonly intro: string
    readonly status: {
      readonly pending: string
      readonly confirmed: string
      readonly ended: string
    }
    readonly closed: string
    readonly all: string
    readonly neverAgain: string
    readonly suppressed: string
    readonly download: string
    readonly downloadButton: string
    readonly erase: string
    readonly erasure: string
    readonly sure: string
    readonly neverAgainToo: string
    readonly button: {
      readonly subscribe: string
      readonly confirm: string
      readonly end: string
      readonly endAll: string
      readonly neverAgain: string
      readonly allow: string
      readonly erase: string
    }
    readonly done: {
      readonly subscribe: string
      readonly end: string
      readonly 'end-all': string
      readonly 'never-again': string
      readonly allow: string
      readonly erase: string
    }
    readonly erasedTitle: string
    readonly erasedForGood: string
    readonly problem: string
  }
  readonly challenge: {
    readonly working: string
    readonly done: string
    readonly failed: string
    readonly noScript: string
  }
  readonly error: {
    readonly title: string
    readonly LinkNotValid: string
    readonly FeedNotFound: string
    readonly TooManyRequests: string
    readonly Unavailable: string
    readonly InternalError: string
    readonly other: string
    readonly requestId: string
  }
}
