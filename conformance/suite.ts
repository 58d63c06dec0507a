/** What the report says of itself. The version is the package's: a test compares them. */
export const SUITE = { name: 'token-assay', version: '0.1.0' } as const
