declare module 'swagger-ui-dist/absolute-path.js' {
  /** Returns the directory of the package. */
  export default function absolutePath(): string;
}
