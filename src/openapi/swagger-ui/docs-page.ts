/** The page of Swagger UI. It contains neither scripts nor styles, which the policy forbids. `base` is the path of `/docs/`. */
export function docsPage(base: string, { scripts, styles }: { scripts: string[]; styles: string[] }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trivet API</title>
<link rel="icon" href="data:,">
${styles.map((name) => `<link rel="stylesheet" href="${base}${name}">`).join('\n')}
${scripts.map((name) => `<script defer src="${base}${name}"></script>`).join('\n')}
</head>
<body>
<div id="swagger-ui" data-document="${base}../openapi.json"></div>
<noscript>This page needs JavaScript. The OpenAPI document is at <a href="${base}../openapi.json">/openapi.json</a>.</noscript>
</body>
</html>
`;
}
