/** The parts of k6 that a script uses: https://grafana.com/docs/k6/latest/javascript-api/ */
export interface K6 {
  readonly check: (
    value: unknown,
    sets: Readonly<Record<string, boolean>>,
    tags: Readonly<Record<string, string>>,
  ) => boolean
  readonly sleep: (seconds: number) => void
  readonly warn: (text: string) => void
  readonly http: K6Http
}

export interface K6Http {
  readonly CookieJar: new () => object
  readonly expectedStatuses: (range: { readonly min: number; readonly max: number }) => unknown
  readonly request: (method: string, url: string, body: ArrayBufferLike | null, params: object) => K6Response
}

export interface K6Response {
  /** 0 where no answer came. */
  readonly status: number
  /** The values of a header that came more than once are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ArrayBuffer | null
}
