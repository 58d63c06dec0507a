/** Of the connection, or written by who sends: those of a recorded request are not those of a request that repeats it. */
const OF_THE_SENDER =
  /^(?::.*|host|content-length|connection|keep-alive|proxy-connection|proxy-authenticate|te|trailer|(?:transfer|content)-encoding|upgrade|http2-settings|expect)$/i

/** Whether a request that repeats a recorded one has a header of that name of its own. */
export function isOfTheSender(name: string): boolean {
  return OF_THE_SENDER.test(name)
}
