import './preview-frame.css';
import { showSite } from './site-frame';

const place = document.getElementById('preview');
if (place) showSite(place);
