"""Search of memory: what is indexed of a text, the legs of a search, and how they are joined."""
