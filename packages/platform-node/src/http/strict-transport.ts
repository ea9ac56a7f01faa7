/** A year, for this name alone: what else has a name below it is not ours to bind. */
export const STRICT_TRANSPORT = 'max-age=31536000'
