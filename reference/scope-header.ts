/** The header that names a scope, in lower case. */
export const scopeHeader = 'token-assay-scope'
