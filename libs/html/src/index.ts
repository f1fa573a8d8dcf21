export { Html, html, type Content } from './html';
