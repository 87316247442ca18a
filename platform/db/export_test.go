package db

// BulkForms is bulkForms.
var BulkForms = bulkForms
