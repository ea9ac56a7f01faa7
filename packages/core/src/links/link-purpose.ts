/** The purpose of a link. A token for one purpose is not valid for another. */
export type LinkPurpose = 'confirm' | 'refuse' | 'unsubscribe'

/** The purpose of a link that is about a change of address. */
export type MovePurpose = 'move' | 'undo'

export type TokenPurpose = LinkPurpose | MovePurpose | 'preferences' | 'manage'

/** Purposes of links that are good for several feeds. */
export type GroupPurpose = Exclude<LinkPurpose, 'unsubscribe'>
