// Each of these looks at the same service, for which the scenario is played once.
import './whole-service/played.js';
import './whole-service/audited.js';
import './whole-service/openapi.js';
import './whole-service/event-types.js';
import './whole-service/routes.js';
