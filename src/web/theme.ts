// The theme, before anything is drawn: otherwise a page in the other theme would flash first.

const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
