// A style sheet of a part of the page: its class names, as the bundler wrote them.
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>
  export = names
}
declare module '*.css'
